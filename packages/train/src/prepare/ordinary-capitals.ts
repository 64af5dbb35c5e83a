const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Capitalised English words that are no names: days and months, peoples and languages, relatives, forms of "I". */
export const ORDINARY_CAPITALS = words(
  `i i'm i’m i'd i’d i'll i’ll i've i’ve monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays
fridays saturdays sundays january february march april may june july august september october november december mon tue wed thu fri sat sun
jan feb mar apr jun jul aug sep sept oct nov dec christmas easter ramadan eid diwali hanukkah halloween thanksgiving
english french german spanish italian portuguese chinese mandarin cantonese japanese korean arabic hindi russian turkish greek dutch
polish swedish norwegian danish finnish hebrew latin american british european african asian indian irish scottish welsh mexican
brazilian thai vietnamese ukrainian nigerian kenyan mom mum mama mommy mummy dad daddy papa grandma grandpa granny nana auntie aunt uncle
god internet wifi earth ok okay tv ai pm am usa uk eu phd mba the a an and but or so if when what how why who yes no not`,
)

export const TITLES_BEFORE = words('dr mr mrs ms miss mx prof professor sir madam st saint doctor')

/** Ids of users and agents that are no names. */
export const NOT_NAMES = words(
  `user agent other you test default admin anonymous guest player human assistant bot tutor coach companion friend helper therapist character
main person someone somebody`,
)

/** Names that are also words. In lower case they are kept. */
export const NAMES_THAT_ARE_WORDS = words(
  `will may mark rose grace hope joy faith dawn april june august art bill jack pat rob sue frank dean drew chase hunter lily iris ivy
jasmine olive pearl ruby amber sandy robin jay rich nick penny sky summer autumn destiny miles grant reed wade cliff glen heath lance max
guy gene carol holly ginger basil sage angel charity harmony melody patience prudence constance victor earl duke king prince major bishop`,
)
