const EN = {
  lead: 'A short profile of the user, compared version by version.',
  empty: 'There is no portrait',
  emptyHint: 'A language model writes it when a session ends, if the preset has a portrait (such as comedy).',
  version: 'Version',
  against: 'Compared with',
  nothing: 'nothing',
  numbered: (number: string, day: string) => `${number}, ${day}`,
  added: 'added',
  removed: 'removed',
  why: 'Evidence',
}

const ZH: typeof EN = {
  lead: '用户的简短画像，可以逐版对照。',
  empty: '还没有画像',
  emptyHint: '在带画像的预设下（如 comedy），语言模型会在会话结束时写出画像。',
  version: '版本',
  against: '对照',
  nothing: '不对照',
  numbered: (number, day) => `第 ${number} 版，${day}`,
  added: '新增',
  removed: '删去',
  why: '依据',
}

export const PORTRAIT = { en: EN, zh: ZH }
