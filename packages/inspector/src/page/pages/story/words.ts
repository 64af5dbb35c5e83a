const EN = {
  lead: 'The conversation at three levels: summaries, the sections they are made of, and the messages.',
  zoom: 'Level',
  turns: 'Messages',
  units: 'Sections',
  summaries: 'Summaries',
  story: 'Story so far',
  session: (number: string) => `Session ${number}`,
  empty: 'There is nothing at this level yet',
  emptyHint:
    'Sections are written during the conversation, summaries when a session ends. Choose another level, or end the session.',
  emptyTurns: 'There are no messages yet',
  emptyTurnsHint: 'Messages appear here.',
  nearer: 'messages of this session',
  rests: (turns: string) => `from ${turns}`,
  more: 'Later messages',
  all: 'All sessions',
}

const ZH: typeof EN = {
  lead: '对话的三个层次：摘要、组成摘要的片段和消息。',
  zoom: '层次',
  turns: '消息',
  units: '片段',
  summaries: '摘要',
  story: '至今的故事',
  session: (number) => `第 ${number} 次会话`,
  empty: '这个层次还没有内容',
  emptyHint: '片段在对话中写成，摘要在会话结束时写成。请选择其他层次，或结束会话。',
  emptyTurns: '还没有消息',
  emptyTurnsHint: '消息会出现在这里。',
  nearer: '这次会话的消息',
  rests: (turns) => `来自 ${turns}`,
  more: '更晚的消息',
  all: '所有会话',
}

export const STORY = { en: EN, zh: ZH }
