import type { Words } from '../en.ts'

/** What is said while something is asked, and when it fails, in Chinese. */
export const states: Words['states'] = {
  loading: '正在载入……',
  retry: '重试',
  unreachable: '连不上服务器',
  unreachableTold: '它可能停了，或者网络不通。重新启动它（“keepsake serve”），或稍等：页面会自动重试。',
  locked: '密钥已失效',
  lockedTold: '请再输入一次，或换一个。',
  forbidden: '这个密钥没有权限',
  forbiddenTold: '请向服务器管理员索取允许对该用户执行此操作的密钥。',
  missing: '未找到',
  missingTold: '它可能已被抹除，或者地址不对。',
  busy: '服务器正忙',
  busyTold: '请稍后再试。',
  refused: '服务器拒绝了这个请求',
  broken: '出错了',
  brokenTold: '服务器的日志里有更多说明，可按请求编号查找。',
  request: (id) => `请求 ${id}`,
  talk: '开始交谈',
  bring: '导入对话',
  cancel: '取消',
  close: '关闭',
  undo: '撤销',
  undone: '已撤销。',
  dismiss: '知道了',
  readOnly: '这个密钥是只读的。',
}
