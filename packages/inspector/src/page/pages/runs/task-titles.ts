import type { Language } from '../../words/format.ts'

type Titles = readonly [en: string, zh: string]

const TITLES: Readonly<Partial<Record<string, Titles>>> = {
  retrieval: ['Retrieval', '检索'],
  everyday: ['Everyday talk', '日常谈话'],
  extraction: ['Extraction', '提取'],
  updating: ['Updating', '更新'],
  answering: ['Answering', '作答'],
  coverage: ['What contexts hold', '上下文所含'],
  probes: ['Probes', '选择题'],
  'probe-table': ['The probe table', '探测表'],
  operations: ['Operations', '操作'],
  labels: ['Labels', '标注'],
  cost: ['Cost', '花费'],
  attribution: ['Where errors arise', '错误从何而来'],
  'session-memory': ['Session memories', '会话记忆'],
  compression: ['Compression', '压缩'],
  replies: ['Replies', '回复'],
  'reply-ranks': ['Replies, ranked', '回复排名'],
  forgetting: ['What is kept', '留下什么'],
  'forgetting-lead': ['How far keepsake leads in it', 'keepsake 在其中领先多少'],
  capacity: ['What is kept, over all capacities', '各种容量下留下什么'],
  'capacity-lead': ['How far keepsake leads over all capacities', '各种容量下 keepsake 领先多少'],
  remembering: ['Remembering', '记'],
  recalling: ['Recalling', '想起'],
  'model-calls': ['Calls of the model', '模型调用'],
  speed: ['Speed and room', '速度与空间'],
  'vector-scan': ['Scanning vectors', '扫描向量'],
  'side-by-side': ['Side by side', '并列'],
  'peer-kills': ['What survives being killed', '被终止后留下什么'],
  load: ['Under load', '负载之下'],
  'server-kills': ['A server killed in the middle of requests', '请求途中终止服务器'],
  faults: ['When things go wrong', '出错之时'],
  'capacity-plan': ['What so many people need', '这么多人需要什么'],
  attacks: ['One key does its worst', '一把密钥的最坏之举'],
  erasing: ['Erasing from a large file', '从大文件中抹除'],
  stores: ['The same on a file and on Postgres', '文件与 Postgres 上是否相同'],
}

/** What a task is called; one that is not known here by its own name. */
export function taskTitle(task: string, language: Language): string {
  const titles = TITLES[task]
  if (titles === undefined) return task
  return language === 'zh' ? titles[1] : titles[0]
}
