import type { Words } from '../en.ts'

/** What the list of people says, in Chinese. */
export const people: Words['people'] = {
  title: '用户',
  lead: '所有拥有记忆的用户。',
  search: '查找用户',
  count: (count) => `${count} 位用户`,
  empty: '还没有用户',
  emptyTold: '用 “keepsake import” 导入对话，或通过服务器的任一 API 发送消息。用户会出现在这里。',
  noMatch: '没有这个名字的用户',
  noMatchTold: '请换个写法，或少输几个字。',
  byName: '哪位用户？',
  byNameTold: '这个密钥不能列出用户。请输入要查看的用户名。',
  user: '用户名',
  tenant: '租户（默认留空）',
  open: '打开',
  more: '显示更多',
}
