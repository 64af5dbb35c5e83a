/** A file's content: its text, its bytes, a file of a page, or a stream. */
export type FileContent = string | Uint8Array | Blob | ReadableStream<Uint8Array>

/** What sends a file as it is. The routes' types know a text; what is sent is whatever `fetch` takes. */
export function sentFile(file: FileContent, mediaType = 'application/octet-stream') {
  return {
    body: file as string,
    bodySerializer: (body: string) => body,
    headers: { 'Content-Type': mediaType },
    ...(file instanceof ReadableStream ? { duplex: 'half' as const } : {}),
  }
}
