import type { Words } from '../en.ts'

/** What the gate says, in Chinese. */
export const gate: Words['gate'] = {
  title: '请输入密钥',
  lead: '这台服务器只向持有密钥的人开放记忆。密钥只留在本页的内存里，关闭或刷新页面后就没有了。',
  key: '密钥',
  open: '打开',
  wrong: '这把密钥打不开任何东西：它不存在、已被撤销或已过期。请检查，或向服务器的管理者另要一把。',
  blank: '请先输入密钥。',
  how: '服务器的管理者可以这样创建密钥：',
}
