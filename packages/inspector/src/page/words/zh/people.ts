import type { Words } from '../en.ts'

/** What the list of people says, in Chinese. */
export const people: Words['people'] = {
  title: '人物',
  lead: '这里存着谁的记忆。',
  search: '查找人物',
  count: (count) => `${count} 人`,
  empty: '还没有记住任何人',
  emptyTold: '用 “keepsake import” 导入，或通过服务器的任一入口与它交谈。它记住的人会出现在这里。',
  noMatch: '没有叫这个名字的人',
  noMatchTold: '换个写法，或少输几个字，也许能找到。',
  byName: '看谁的记忆？',
  byNameTold: '这把密钥不能列出所有人。请写出你想看的人。',
  user: '用户名',
  tenant: '租户（通常留空）',
  open: '打开',
  more: '显示更多',
}
