import type { PromptLanguage } from '../prompts/prompt.ts'

type Pair = readonly [one: string, other: string]

/**
 * Things that are easily taken for one another and are not the same: members of a kind, and a kind beside one of its members. By
 * these it is reckoned from which cosine on an embedder means the same. Written for this; no talk of anybody is in it.
 */
export const CALIBRATION_PAIRS: Readonly<Record<PromptLanguage, readonly Pair[]>> = {
  en: [
    ['red wine', 'white wine'],
    ['green tea', 'black tea'],
    ['summer', 'winter'],
    ['spicy food', 'sweet food'],
    ['coffee', 'tea'],
    ['cats', 'dogs'],
    ['football', 'basketball'],
    ['horror films', 'romantic films'],
    ['early mornings', 'late nights'],
    ['the sea', 'the mountains'],
    ['classical music', 'pop music'],
    ['apples', 'pears'],
    ['swimming', 'diving'],
    ['big cities', 'small towns'],
    ['milk chocolate', 'dark chocolate'],
    ['maths', 'physics'],
    ['salmon', 'tuna'],
    ['blue', 'green'],
    ['green tea', 'tea'],
    ['cheesecake', 'cheese'],
    ['big dogs', 'dogs'],
    ['iced coffee', 'coffee'],
    ['folk music', 'music'],
  ],
  zh: [
    ['红茶', '绿茶'],
    ['红酒', '白酒'],
    ['夏天', '冬天'],
    ['咖啡', '茶'],
    ['猫', '狗'],
    ['足球', '篮球'],
    ['恐怖片', '爱情片'],
    ['早起', '熬夜'],
    ['大海', '高山'],
    ['古典音乐', '流行音乐'],
    ['苹果', '梨'],
    ['游泳', '潜水'],
    ['大城市', '小城镇'],
    ['牛奶巧克力', '黑巧克力'],
    ['数学', '物理'],
    ['甜食', '辣的'],
    ['蓝色', '绿色'],
    ['牛肉', '羊肉'],
    ['牛肉面', '牛肉'],
    ['奶茶', '茶'],
    ['冰咖啡', '咖啡'],
    ['大型犬', '狗'],
    ['民族音乐', '音乐'],
  ],
}
