// All signs of patterns are explained in ../matching/rule.ts.
// How to read a pattern, such as '(从|在)<memory><fully>*(<wipe>我|把我<fully>*<wipe>)。', which matches 从你的记忆里删掉我:
// `(从|在)` is one of the two. `<memory>` and `<wipe>` are phrases of this file and of request-phrases.ts. `<fully>*` is any number of `fully`.
// `。` is the end of the sentence. `[a]` may be absent.
/** Phrases of requests to forget everything about the speaker. */
export const WIDE_PHRASES = {
  wipe: `(忘|删|抹|清|擦)(了|掉|除|光|去|干净|个干净|个精光|得一干二净|得干干净净)|忘记|遗忘|删除|清除|清空|清理掉|抹除|去掉|销毁
    |注销|丢弃|丢掉`,
  /** Verbs that suffice after a word for all: 全删了. */
  wipeall: '<wipe>|忘|删|清|抹',
  fully:
    '都|全|全部|全都|通通|统统|一律|一概|一并|彻底|完全|永远|永久|(一|半)(条|个|点|句|字|件)[都|也]不(留|剩|落)[地]',
  asking: '请|你|您|给我|帮我|替我|麻烦|就|从<memory>',
  quant: '一切|所有|全部|(每|任何)[一](件|句|条|个|段|次)|每一|整个',
  items: `事情|事儿|事|信息|讯息|内容|记忆|数据|资料|档案|东西|记录|历史|痕迹|聊天|对话|谈话|话|细节|情况|<data>`,
  data: '(个人|私人|隐私|聊天|对话|历史)*(信息|讯息|记忆|数据|资料|档案|记录|历史|隐私|聊天|对话)|聊天内容|对话内容',
  aboutme: '(关于|有关|涉及)(我|我们|咱们)[自己|本人]|(跟|和|与)(我|我们|咱们)(有关|相关|有关系)',
  known: `[你|您](所|都|曾经|曾)*(知道|记得|记住|记下|记着|记录|记|保存|储存|存下|存|了解|掌握|收集|学到)(到|过|了|下来|着)*[的]|[你|您](的|里)*((脑子|脑海|脑袋|记忆|心|手|那|这)里[面]|手上|那儿|这儿)[的]`,
  /** Words for the whole past. With 刚才 or 昨天 a request is narrower. */
  ago: '之前|以前|从前|曾经|一直|至今|过去',
  saidbyme: `(我|我们|咱们|咱)<ago>*(跟你|和你|对你|给你|同你|向你)*((告诉|透露给|分享给)[过]你|(说|讲|提|聊|谈|分享|透露)[给你])(过|到|起)*[的]`,
  /** Objects that have a word for “all”. */
  mineall: `<quant>[的][<known>]<aboutme>[的]<items>*|<known><quant>[的]<aboutme>[的]<items>*|[<known>]<aboutme>[的]<quant>[的]<items>*
    |[<known>](我|我们|咱们)[之间]*[的]<quant>[的]<items>*|<quant>[的](我|我们)的<data>|<saidbyme><quant>[的]<items>*|<quant>[的]<saidbyme><items>*
    |<quant>[的]<data>|<ago>[的]<quant>[的]<data>`,
  /** Objects without a word for “all”, which still mean everything that the listener remembers. */
  minehere: '[<known>]<aboutme>[的]<items>*|<known>我的<items>+|你对(我|我们)的(记忆|印象|了解|认识)',
  /** Objects that need a word for “all” before the verb. */
  minetold: '<minehere>|(我|我们|咱们)[之间]*[的]<data>|<saidbyme>(这些|那些)*<items>*',
  memories: '(你|您|我)[的](全部|所有|整个)*[的](记忆|记忆库|数据库)',
} as const

/** Patterns of delete-everything requests: 忘掉你知道的关于我的一切, 把我的信息都删了, 清空你的记忆. */
export const CHINESE_WIDE = [
  '<fully>*<wipe>[吧](<mineall>|<minehere>)。',
  '<fully>+<wipe>[吧](<minetold>|我)。',
  '(把|将)(<mineall>|<minehere>)(<fully>|<asking>)*<wipe>[吧]。',
  '(把|将)(<mineall>|<minetold>)(<fully>|<asking>)*<fully>(<fully>|<asking>)*<wipeall>[吧]。',
  '(<known><aboutme>[的]<items>*|<aboutme>[的]<quant>[的]<items>*)(<fully>|<asking>)*<fully><wipe>。',
  '<aboutme>的(<quant>|<items>)*(<fully>|<asking>)*<wipe>[吧]。',
  '(<mineall>|<minetold>)(<fully>|<asking>)*<fully><wipeall>吧。',
  '(<mineall>|<minetold>)[你|您]<fully>*(请|麻烦|帮我|给我|替我)[你|您](<fully>|<asking>)*<wipe>[吧]。',
  '(从|在)<memory><fully>*(<wipe>我|把我<fully>*<wipe>)。',
  '(把|将)我从<memory><fully>*<wipe>[吧]。',
  '(把|将)我<fully>*忘(干净|个干净|光|得一干二净|得干干净净)[吧]。',
  '(请|<fully>)*<wipe>我这个人[吧]。',
  '请<wipe>我[吧]。',
  '(<wipe>|重置)<memories>。',
  '把<memories>(<fully>|<asking>)*(<wipe>|重置)[吧]。',
]
