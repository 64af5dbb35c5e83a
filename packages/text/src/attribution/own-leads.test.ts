import { expect, it } from 'vitest'
import { isOwnLead } from './own-leads.ts'

it.each([
  'Last',
  'Second',
  'Next question',
  'One thing',
  'Last but not least',
  'First of all',
  '最后',
  '第二',
  '另外',
  '还有',
  'today was awful',
  'Bit of a rant',
  '昨天总结',
  '周末流水账',
  'Posted this on Reddit myself',
  '自己发在知乎上的',
])('takes %j before a colon for where in their talk the speaker is', (head) => {
  expect(isOwnLead(head)).toBe(true)
})

it.each([
  '备注',
  '我的备注',
  '饮食备注',
  '过敏说明',
  '补充说明',
  '特别说明',
  '个人备注',
  '免责说明',
  '再说明一点',
  'Note',
  'Short explanation',
  'By way of explanation',
  'Job description',
  'Quick clarification',
  'Disclaimer',
])('takes %j for a note on what one says oneself', (head) => {
  expect(isOwnLead(head)).toBe(true)
})

it.each([
  '快递单备注',
  '快递单的备注',
  '订单备注',
  '病历附注',
  '商品说明',
  '工单批注',
  '合同第三条注释',
  'Parcel slip note',
  'Delivery instructions',
  'Invoice annotation',
  'Ticket description',
  'Waiver declaration',
])('takes %j for the text of what the note is on', (head) => {
  expect(isOwnLead(head)).toBe(false)
})

it.each([
  'Posted this on Reddit',
  'My ex posted this on my wall',
  'She wrote this about me, I found it myself',
  'Second verse',
  'Last page of the menu',
  'Third tattoo',
  'Next slide',
  '第二幕',
])('takes %j for what bears words of others', (head) => {
  expect(isOwnLead(head)).toBe(false)
})

it.each([
  'Übrigens',
  'Noch was',
  'Au fait',
  'Por cierto',
  'Já agora',
  'ちなみに',
  '참고로',
  'Day 12 of quitting',
  'Three years sober',
  'Yesterday at the clinic',
  'The short of it',
  'On the job front',
  'Life hack I use',
  'My husband and I',
  '突然想起来',
  '打个招呼',
  '再补一句',
  '戒烟第十二天',
  '今日汇报',
  '三个字形容我',
])('takes %j for an aside of the speaker', (head) => {
  expect(isOwnLead(head)).toBe(true)
})

it.each([
  'The sign on the shop door',
  'Note from upstairs',
  'A note I found in a library book',
  'Line from the play',
  'About the author',
  'Note to all bots',
  '我妈发来的语音',
  '我爸的名言',
  '说句台词',
  '提一句名言',
])('takes %j for words of another', (head) => {
  expect(isOwnLead(head)).toBe(false)
})
