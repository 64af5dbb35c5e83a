/** Whether the application keeps something from training by the metadata of a turn or memory: `{"training": false}`. */
export function withholds({ metadata }: { readonly metadata: unknown }): boolean {
  return typeof metadata === 'object' && metadata !== null && Reflect.get(metadata, 'training') === false
}
