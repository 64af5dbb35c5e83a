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
