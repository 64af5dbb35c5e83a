/** Words after “password is” for its state, its kind, or its place. */
const STATE =
  /^(?:not|no|in|on|at|too|so|very|really|quite|pretty|the|a|an|my|your|his|her|our|their|what|when|where|how|why|who|which|that|this|there|it|also|always|never|safe|wrong|weak|strong|long|short|easy|hard|simple|different|same|correct|right|lost|gone|okay|ok|fine|good|bad|great|invalid|secure|unique|hidden|written|stuck|almost|probably|something|nothing|anything|case|only|being|and|or|but|if|because|to|for|from|with|under|by|about|empty|blank|new|old|due|optional|mandatory|needed|asked|sent|here|public|private|secret|enough|up|out|off|key|one|all|saved|reset|kept|made|set|known|shown|broken|forgotten|rubbish|nonsense|annoying|ready|required|unknown|important)$|(?:ed|ing|able|ible|ly|n['’]t)$/i

/** Reports whether a word describes a password and is none. */
export function isState(word: string): boolean {
  return STATE.test(word)
}

/** Words that begin the text after a passphrase. */
export const STOPS: ReadonlySet<string> = new Set(
  'and but so because which for on in at please ok okay thanks thank by to now then if or when while since as i you he she we they it that this not is was if btw by don just write keep tell with from of the'.split(
    ' ',
  ),
)
