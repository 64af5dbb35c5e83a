// All signs of patterns are explained in ../matching/rule.ts.
// How to read a pattern, such as '<utterly> <wipe> <saidbyme> <fully>* .', which matches “Forget everything I ever told you”:
// `<wipe>` and the others are phrases of this file. `<fully>*` is any number of `fully`. ` .` is the end of the sentence.
/** Phrases of requests to forget everything about the speaker. */
export const WIDE_PHRASES = {
  wipe: `forget|forgetting|erase|erasing|delete|deleting|remove|removing|wipe|wiping|purge|purging|scrub|scrubbing|clear [out]
    |clearing [out]|(get|getting) rid of|unremember|un-remember|unlearn|unlearning|discard|discarding|destroy|destroying
    |(do|doing) away with|scrap|scrapping|nuke|nuking|let go of|letting go of`,
  /** Verbs that need an object about the speaker. “Drop everything” alone is no request. */
  sweep: `<wipe>|drop|dropping|dump|dumping|trash|trashing|lose|losing|shred|shredding|strike|striking|burn|burning|bin|ditch
    |(throw|throwing|toss|tossing|chuck|chucking) (away|out)`,
  gone: 'gone|forgotten|erased|deleted|removed|wiped|purged|scrubbed|cleared|discarded|destroyed',
  bare: '(absolutely|literally|simply|just)*',
  every: `<bare> [all] [of] (everything and anything|anything and everything|everything|anything|all|whatever|what|all [of] the (things|stuff)
    |[each and] every [last|single|little]* (thing|bit|piece|detail|fact|word|memory|record|trace|note|scrap))`,
  known: `know|knew|remember|remembered|learn|learned|learnt|stored|store|saved|save|collected|kept|keep|noted|wrote|gathered
    |recorded|think|hold|held|retained|retain|found out|picked up|memorised|memorized|made`,
  regarding: 'about|on|of|regarding|concerning',
  oneself: '(me|myself|us|ourselves) [and (my|our) _]',
  heldofme: '<every> [that] [you|we] (have|ever|already|got|<known>)* <regarding> <oneself>',
  /** Objects for all earlier words. “What I said” and “what I just said” are narrower and mean the last turn. */
  saidbyme: `<every> [that] I (have|had)* ever <toldby> [to you|with you]
    |!(_* (what|anything|whatever|just)) <every> [that] I (have|had)* <toldby> [to you|with you]`,
  saidbyus: `<every> [that] we (have|had)* [ever] (talked|spoken|spoke|chatted|discussed|said|shared|written|wrote)
    [about|of|over] [together]`,
  theirdata: `(personal|private|saved|stored|own|past|previous|earlier|chat|conversation|message|user)*
    (data|details|trace|traces|memory|memories|information|info|record|records|history|profile|chat|chats|conversation
    |conversations|message|messages|note|notes|log|logs|past)`,
  ourtalks: '(my|our) (talks|chats|conversations|messages|history|exchanges)',
  whole: 'whole|entire|complete|full|total',
  ofmine:
    '(all|everything (in|of|from)|the whole of|the entirety of|every bit of) [of] (my|our) [<whole>]|(my|our) <whole>',
  /** Objects whose owner follows: “All the records”, “every trace”. */
  ofany: `(all|any|any and all|everything (in|of|from)|each and every|every|every single|the whole of|every bit of) [of] [the|your|those]
    |the <whole>`,
  whose: `[that|which] you (have|ever|already|got|<known>)* <regarding> <oneself>|(about|on|of|regarding|concerning) (<oneself>|<ourtalks>)`,
  datamine: `<bare> (<ofmine> <theirdata> [<whose>|with you|together|that you (have|hold|keep)]|<ofany> <theirdata> <whose>)`,
  mineall: '<heldofme>|<datamine>',
  fully: `(so far|until now|till now|up to now|to date|completely|entirely|altogether|totally|wholly|for good|forever|for ever
    |permanently|once and for all|at once|immediately|<records>)`,
  utterly: '(permanently|completely|entirely|fully|totally|immediately|now)*',
  afresh: `[let us] (start|starting|begin|beginning|restart|go on|carry on)
    (over|again|afresh|anew|fresh|all over|from (scratch|zero|the beginning|nothing))*`,
} as const

/** Patterns of delete-everything requests: “Forget everything you know about me”, “delete my entire history with you”. */
export const ENGLISH_WIDE = [
  '<utterly> <sweep> (<mineall>|<saidbyus>) <fully>* .',
  '<utterly> <wipe> <saidbyme> <fully>* .',
  '<sweep> <saidbyme> <fully>* <records> .',
  '<rather> <erased> (<mineall>|<saidbyme>|<saidbyus>) <fully>* .',
  '<wipe> <every> [that] you (have|ever|already)* (know|remember|learned|learnt|stored|saved|kept|retained|memorised|memorized) <fully>* .',
  '<wipe> (all|everything (in|of|from)|the whole of|every bit of) [of] (your|the) <theirdata> [that you (have|hold)] <fully>* .',
  '(<wipe>|reset|resetting|empty|emptying) (your|the|my) <whole>* (memory|memories|memory bank) [of (me|us)|about (me|us)] <fully>* .',
  '(<wipe>|reset) (me|us|everything|absolutely everything|it all) <fully>+ .',
  '<wipe> (absolutely everything|everything|me|who I am|[that] I ever existed) .',
  '<afresh> with (a|an|no|zero)* (blank|clean|empty|fresh|new|clear|wiped)* (memory|memories|record|records|slate|knowledge|recollection) <regarding> <oneself> .',
  'I (want|need|would like|would love) (<mineall>|<saidbyme>|<saidbyus>) [to be] <gone> <fully>* .',
  '(<mineall>|<saidbyme>|<saidbyus>) (should|must|has to|have to|needs to|need to|is to|can) [all|now] be <gone> <fully>* .',
]
