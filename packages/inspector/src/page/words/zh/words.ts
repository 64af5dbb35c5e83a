import type { Words } from '../en.ts'

/** The words of the memory itself, in Chinese. */
export const words: Words['words'] = {
  forms: {
    utterance: '消息',
    fact: '事实',
    summary: '摘要',
    story: '故事',
    portrait: '画像',
    note: '备注',
  },
  types: { persona: '人物', event: '事件', relationship: '关系' },
  statuses: {
    live: '有效',
    quarantined: '隔离中',
    deleted: '已删除',
    forgotten: '已遗忘',
    erased: '已抹除',
  },
  labels: {
    'user-stated': '用户说的',
    'user-confirmed': '用户确认过',
    'agent-stated': '角色说的',
    other: '来自别处',
  },
  roles: { user: '用户', agent: '角色', other: '其他' },
  kinds: {
    add: '新增',
    modify: '修改',
    delete: '删除',
    forget: '遗忘',
    restore: '恢复',
    reinforce: '加强',
    erase: '抹除',
  },
}
