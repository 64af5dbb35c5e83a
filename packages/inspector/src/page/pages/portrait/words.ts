const EN = {
  lead: 'The compressed whole, as it was written and rewritten: each version beside the one before.',
  empty: 'There is no portrait',
  emptyTold: 'A language model writes it when sessions end, with a preset that has one, such as comedy.',
  version: 'Version',
  against: 'Compared with',
  nothing: 'nothing',
  numbered: (number: string, day: string) => `${number}, ${day}`,
  added: 'added',
  removed: 'removed',
  why: 'Why it says so',
}

const ZH: typeof EN = {
  lead: '浓缩的整体：每一版都可以与另一版对照。',
  empty: '还没有画像',
  emptyTold: '在带画像的预设下（如 comedy），语言模型会在会话结束时写出画像。',
  version: '版本',
  against: '对照',
  nothing: '不对照',
  numbered: (number, day) => `第 ${number} 版，${day}`,
  added: '新增',
  removed: '删去',
  why: '为什么这样写',
}

/** What the portrait page says. */
export const PORTRAIT = { en: EN, zh: ZH }
