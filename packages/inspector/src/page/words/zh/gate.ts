import type { Words } from '../en.ts'

/** What the gate says, in Chinese. */
export const gate: Words['gate'] = {
  title: '已锁定',
  lead: '这台服务器需要密钥。如果是用 “keepsake inspect” 启动的，请重新打开终端里显示的地址。密钥只保存在本页，关闭或刷新后即清除。',
  key: '密钥',
  open: '打开',
  wrong: '这个密钥无效：不存在、已被撤销或已过期。请检查，或向服务器管理员索取新的密钥。',
  blank: '请先输入密钥。',
  how: '服务器管理员可以这样创建密钥：',
}
