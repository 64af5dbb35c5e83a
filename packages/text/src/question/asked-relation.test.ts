import { describe, expect, it } from 'vitest'
import { readAskedRelation } from './asked-relation.ts'
import { readAskedThing } from './asked-thing.ts'

describe('the relation that a question asks about', () => {
  it.each<[question: string, told: string]>([
    ['Where does my dad live?', 'father'],
    ["What is my older brother's job?", 'brothers'],
    ["What did Ines's mum cook?", 'mam'],
    ['How old are our kids?', 'daughter'],
    ['Do I have kids?', 'daughter'],
    ['Do I have any brothers?', 'brother'],
    ['How many sisters do I have?', 'sister'],
    ['我有孩子吗？', '女儿'],
    ['我有没有弟弟？', '弟'],
    ['我爸爸住哪儿？', '父'],
    ['我的哥哥做什么工作？', '哥'],
    ['我妈在哪儿？', '妈'],
  ])('%s', (question, told) => {
    expect(readAskedRelation(question)?.join(' ')).toContain(told)
  })

  it("is that of one's own, not of a relation's relation", () => {
    const told = readAskedRelation("What does my sister's husband do?") ?? []
    expect(told).toContain('sister')
    expect(told).not.toContain('husband')
  })

  it.each([
    'Where do I live?',
    'Who is the father of the bride?',
    '我住哪儿？',
    '妈妈网是什么？',
    'Do I have kids meals left?',
    '我有车吗？',
  ])('is none in %s', (question) => {
    expect(readAskedRelation(question)).toBeNull()
  })
})

describe('the thing that a question asks for', () => {
  it.each<[question: string, thing: string]>([
    ['What car do I drive?', 'car'],
    ['Do I have a dog?', 'dog'],
    ["What's my favourite film?", 'film'],
    ['我有狗吗？', '狗'],
    ['我最喜欢的歌手是谁？', '歌手'],
    ['我的血型是什么？', '血型'],
    ['我养狗了吗？', '狗'],
    ['我的结婚纪念日是哪天？', '纪念'],
  ])('%s', (question, thing) => {
    expect(readAskedThing(question)).toContain(thing)
  })

  it('stands where its characters stand together: 血压 is no 血型', () => {
    expect(readAskedThing('我的血型是什么？')).not.toContain('血')
  })

  it.each([
    'What illness do I have?',
    'What position do I play?',
    'What is my favourite colour?',
    '我的工作是什么？',
    '我膝盖是什么毛病？',
  ])('is none that would be named in %s', (question) => {
    expect(readAskedThing(question)).toBeNull()
  })
})
