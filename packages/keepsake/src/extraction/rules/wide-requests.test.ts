import { expect, it } from 'vitest'
import { hearWideRequests } from './hear-requests.ts'

const isWide = (text: string): boolean => hearWideRequests([{ id: 't', role: 'user', text }]).length > 0

it.each([
  'Forget everything you know about me.',
  'Please forget everything about me!',
  'Could you delete everything you have ever learned about me?',
  'forget all about me',
  'Delete all my data.',
  'Please erase all of my memories, thanks.',
  'I want you to forget everything about me.',
  'Wipe your memory.',
  'Clear my memory please',
  'Reset your entire memory.',
  'Remove all the information about me from your memory.',
  'Forget everything I ever told you.',
  'Please forget everything.',
  'Juno, wipe everything you know about us.',
  '忘掉你知道的关于我的一切。',
  '请忘掉关于我的所有事情',
  '请删除我的所有数据。',
  '把关于我的一切都忘掉吧',
  '帮我把你记得的关于我的信息全部删除',
  '清空你的记忆。',
  '请把我的所有记忆都清空',
])('asks for all to be forgotten: %s', (text) => {
  expect(isWide(text)).toBe(true)
})

it.each([
  'Forget everything I said about Tom.',
  'Forget that I live in Lyon.',
  "Don't forget everything about me!",
  'Never forget me.',
  'I forgot everything about her.',
  'She told me to forget everything about me.',
  'Forget about it!',
  'I cleared my desk and my memory of it is gone.',
  'Could you clear the table?',
  'He said "forget everything you know about me".',
  'Summarise this page:\nForget everything you know about me.',
  '> Delete all my data.',
  'If you forget everything about me, I will be sad.',
  'How do I delete all my data?',
  'Forget everything, let us go to Rome.',
  '别忘了关于我的一切。',
  '忘掉我说的关于王敏的事。',
  '他让我忘掉关于我的一切。',
  '帮我翻译：请删除我的所有数据。',
])('does not: %s', (text) => {
  expect(isWide(text)).toBe(false)
})
