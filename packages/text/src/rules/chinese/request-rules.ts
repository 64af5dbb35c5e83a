// All signs of patterns, and the slots `about` and `whom`, are explained in ../matching/rule.ts.
// How to read a pattern, such as '请<drop>[吧]{whom:ta}。', whose test sentence '请忘了[他]' follows it:
// `<drop>` is a phrase of request-phrases.ts, here 忘了. `[吧]` may be absent. `{whom:ta}` takes the phrase `ta` (他, 她, …) as the slot `whom`.
// `。` is the end of the sentence. `no` lists sentences that the rule must not match.
import type { RequestRule } from '../matching/rule.ts'

/** Patterns of earlier topics: 我跟你说的那个病人的事. */
export const CHINESE_MATTERS = [
  '我[<before>](跟你|和你|对你|给你)(说|讲|提|聊)(过|到|起)*的{about:1..20}[<fromthen>]。',
]

/** Patterns of requests: 忘掉我刚才说的话, 忘掉我说的关于安娜的事. */
export const CHINESE_REQUESTS: readonly RequestRule[] = [
  {
    // Resolves a pronoun to a person who was named before.
    forget: {
      '请<drop>[吧]{whom:ta}。': '请忘了[他]',
      '[关于]{whom:ta}<fromthen>[,]<dropit>。': '[他]的事你就忘了吧',
      '<unwanted>[再|还|继续]*(知道|记得|记住|记着)[<toldyou>]{whom:ta}[<fromthen>]。': '我不想让你记得[他]',
      '<unsaid>[从来|从|压根|根本](没有|没|未)[跟你|和你|对你](说|提|讲|聊)[起|到][过]{whom:ta}[<fromthen>]。':
        '就当我没提过[他]',
    },
    no: '忘了他吧。别再提醒他了。我不想让你见他。',
  },
  {
    forget: {
      '<drop>[吧]<said>。': '忘掉我刚才说的话',
      '把<said><all><drop>。': '请把这句话删掉。',
      '<justsaid>[请|麻烦][你]<all><drop>。': '刚才说的都忘了吧。',
      '<justsaid>[就]当我没说[过]。': '上一句当我没说。',
      '<unsaid>(刚才|从来|什么都|啥都)*没[有](说|提|讲)[过|起过][这个|这话|这句|这句话|这件事|这事|那句|那句话|什么|任何话]。':
        '算了,当我没说。',
      '<said>[请|麻烦][你][就](别|不要|不用|不必)[再]<keep>[它]。': '这个别记了,不太方便。',
      '(别|不要|不用)(<keep><said>|把<said><keep>)。': '别记这个。',
      '(<this>|这|那)<secret><nokeeping>。': '这件事要保密,别记下来。',
      '<unwanted><keep><said>。': '我不想让你记住这些。',
      '别记。': '别记！',
      '[<said>]<unheard>[<this>|什么|任何话]。': '你就当没听过',
      '[就|我们|咱们|你]*(当[作|做]|假装)<this><undone>。': '就当这事没发生过',
      '([那]我[想|要]*|请)(收回|撤回)<said>。': '我收回刚才说的话',
      '请[你]<drop>[它|这个|这些]。': '麻烦忘了它',
    },
    no: '你没听过这首歌。你当我没长眼吗。他当我没说过一样。别提了,今天累死了。我刚才说的你都记住了吗？把最后一条鱼删掉。上一条裙子忘了买。',
  },
  {
    forget: {
      '(把|将)[<toldyou>]{about:1..20}[<fromthen>](从|在)<memory>(抹掉|抹去|删掉|删除|删了|清除|清掉|去掉|忘掉)。':
        '请把[王敏]从你的记忆里删掉',
      '(<drop>[吧|掉](<toldyou>|&<mine>)|请<drop>[吧]){about:1..60}[<fromthen>]。':
        '忘掉我说的关于[安娜]的事',
      '(把<toldyou>|请把){about:1..60}[<fromthen>]<all><drop>。': '请把[我的工作]忘掉',
      '<toldyou>{about:1..60}[<fromthen>][请|麻烦][你]<all><drop>。': '关于[王敏]的事请你都忘掉',
      '<no>(<keep>(<toldyou>|&<mine>)|<save>[下来|下]&我){about:1..60}[<fromthen>]。': '不要记住[我住哪儿]',
      '(请不[希望|想|要][让][你]|<unwanted>)<keep>[<toldyou>]{about:1..60}[<fromthen>]。':
        '我不希望你记住[我的地址]',
      '<unsaid>[从来|从|压根|根本](没有|没|未)[跟你|和你|对你](说|提|讲|聊)[起|到][过]{about:1..60}[<fromthen>]。':
        '就当我没提过[王敏]。',
      '[关于|有关]{about:1..60}<fromthen><you>(别|莫|不要|不用|不必)[再]<keep>[它]。':
        '关于[王敏]的事请不要记下来',
      '{about:1..60}[<fromthen>]<secret><nokeeping>。': '[我的工资]是隐私,别记下来',
    },
    no: `别忘了带伞。忘了他吧。别再提醒我了。过去的事别再提了。我想忘掉王敏。
      如果你愿意,请忘掉我说的关于王敏的事。忘了我的生日也没关系。`,
  },
  {
    forget: {
      '!把{about:1..30}<fromthen>[,]<dropit>[<nomore>]。': '[借钱给王敏]那个事,你帮我删了吧,莫记了',
      '把{about:1..30}<fromthen><all>(<drop>吧|忘掉|删掉|删了|抹掉|清掉|删除)。': '把[吵架]的事忘了吧',
      '(忘了|忘掉|忘记)[吧]{about:1..30}<fromthen>吧。': '忘了[吵架]这件事吧',
      '[<toldyou>]{about:1..20}[<fromthen>]<unheard>。': '[王敏]的事你就当没听过',
      '<unheard>[<toldyou>]{about:1..20}[<fromthen>]。': '你就当没听过[王敏]的事',
      '[就|我们|咱们|你]*(当[作|做]|假装){about:1..20}[<fromthen>]<undone>。': '就当[吵架]的事没发生过',
      '<unwanted>[再|还|继续]*(知道|记得|记着)[<toldyou>]{about:1..30}[<fromthen>]。':
        '我不想让你知道[王敏]的事',
      '<no>[再]<keep>{about:1..30}<fromthen>。': '不要再记得[我跟王敏]的事',
      '<regretted>[关于]{about:1..30}[<fromthen>]。': '我后悔告诉你[王敏]的事了',
      '{about:1..30}<fromthen><nolog>。': '[王敏]的事不要留记录',
      '&<mine>{about:2..20}<no>[再]<save>。': '[我的工资]别记了',
      '[那]我[想|要]*(收回|撤回)<toldyou>{about:1..30}[<fromthen>]。': '我收回关于[王敏]的话',
      '(从|在)<memory>[把](抹掉|抹去|删掉|删除|删了|清除|清掉|去掉|忘掉){about:1..20}[<fromthen>]。':
        '从你的记忆里抹掉[王敏]',
    },
    no: `我后悔跟他分手。我不该告诉他这件事。你能跟我说说王敏的事吗。王敏的事我忘了。别再跟我说话了。
      我不想让你担心。王敏的事翻篇了。王敏的事我已经忘了。他把我的事忘了。我收回了投资。`,
  },
]
