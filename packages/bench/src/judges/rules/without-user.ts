const HAN = /\p{Script=Han}/u

/**
 * A statement about the user without the name that it begins with: what a memory of theirs tells in the first person, or as
 * “the user”, is told of them all the same. In English a subject is known by its capital and compared as such; Chinese
 * writes none, so there, and only there, the name is taken out. What is said of another person in the same words is then
 * not told apart.
 */
export function withoutUser(text: string, user: string | undefined): string {
  if (user === undefined || user === '' || !HAN.test(user)) return text
  return text.startsWith(user) ? text.slice(user.length) : text
}
