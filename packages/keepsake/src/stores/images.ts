/**
 * What a person's cache was made into, kept so that it need not be made from their rows again: bytes of the engine's own, which
 * a store neither reads nor ranks by. Optional: without these two methods a person who is not in memory is read row by row.
 *
 * An image is derived. It may be lost, or stand half written when its process was killed; whoever reads it checks that its parts
 * belong together. It holds words, so it goes with the person, and whenever anything of theirs is erased. It is no part of
 * an export, and keeping one raises no revision.
 */
export interface Images {
  /** A part of the person's image; `null` where there is none. */
  imagePart?(owner: number, part: number): Promise<ImagePart | null>
  /**
   * Keeps a part in the place of the one with its number; with the last part, those beyond it go. Need not outlive a failure of power.
   *
   * @param epoch the person's, when what the image was made of was read
   * @returns `false`, keeping nothing, when content was erased since
   */
  putImagePart?(owner: number, part: ImagePart, epoch: number): Promise<boolean>
}

export interface ImagePart {
  /** Of which image this is a part: no two images have one id. */
  readonly image: string
  /** From 0 on. */
  readonly part: number
  /** How many the image has. */
  readonly parts: number
  /** At most a mebibyte, so that nothing waits long for a part. Those of one to be kept are good until that is answered. */
  readonly bytes: Uint8Array
}
