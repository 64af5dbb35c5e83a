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
])('takes %j before a colon for where in their talk the speaker is', (head) => {
  expect(isOwnLead(head)).toBe(true)
})

it.each(['Second verse', 'Last page of the menu', 'Third tattoo', 'Next slide', '第二幕'])(
  'takes %j for what bears words of others',
  (head) => {
    expect(isOwnLead(head)).toBe(false)
  },
)
