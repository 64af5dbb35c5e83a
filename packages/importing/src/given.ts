/** Options without those that were not given: the engine tells an absent one from `undefined`. */
export function given<Options extends object>(options: Options): Given<Options> {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as Given<Options>
}

type Given<Options> = { [Name in keyof Options]?: Exclude<Options[Name], undefined> }
