import { chineseTongue } from './chinese/chinese-tongue.ts'
import { englishTongue } from './english/english-tongue.ts'
import type { Tongue } from './matching/tongue.ts'

export async function tongueIn(language: Tongue['language']): Promise<Tongue> {
  return language === 'zh' ? chineseTongue : englishTongue()
}

/** By which letters there are more of. */
export function languageOfTalk(text: string): Tongue['language'] {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0
  const latin = text.match(/\p{Script=Latin}+/gu)?.length ?? 0
  return han > latin ? 'zh' : 'en'
}
