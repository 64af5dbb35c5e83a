/** A property that a question asks for and that can be detected in texts. */
export interface Property {
  readonly asks: RegExp // matches a question for the property: “What colour is it?”
  readonly holds: RegExp // matches a text that may have the answer: “a red one”
  /** Whether texts that match `holds` rank first; `true` by default. */
  readonly leads?: boolean
}
