import type { Words } from '../en.ts'

/** What stands around the pages, in Chinese. */
export const shell: Words['shell'] = {
  title: 'Keepsake',
  skip: '跳到正文',
  people: '用户',
  mainNavigation: '记忆查看器',
  personNavigation: (user) => `${user} 的记忆`,
  pages: {
    overview: '概览',
    memories: '记忆',
    persona: '人物表',
    story: '故事',
    portrait: '画像',
    retention: '留存',
    conversation: '对话',
    data: '你的数据',
  },
  why: '来历',
  theme: { label: '颜色', system: '自动', light: '浅色', dark: '深色' },
  language: '语言',
  lock: '锁上',
  lockTold: '从本页清除密钥',
  lost: '与服务器的连接断开了。页面内容可能不是最新的；会自动重新连接。',
  tryNow: '立即重试',
  back: '已重新连接。',
  agent: (name) => `经由角色 ${name}`,
  app: (name) => `经由应用 ${name}`,
  tenant: (name) => `租户 ${name}`,
  nowhere: '没有这个页面',
  nowhereTold: '这个地址不存在。请从用户列表进入。',
  toPeople: '去用户列表',
}
