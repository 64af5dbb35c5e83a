/** Options without `undefined` values. */
export type PresentOptions<Options> = {
  [Name in keyof Options as undefined extends Options[Name] ? never : Name]: Options[Name]
} & {
  [Name in keyof Options as undefined extends Options[Name] ? Name : never]?: Exclude<
    Options[Name],
    undefined
  >
}

/** Omits undefined options. The engine uses the default for an absent option, but refuses `undefined`. */
export function given<Options extends object>(options: Options): PresentOptions<Options> {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as PresentOptions<Options>
}
