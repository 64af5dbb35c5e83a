/** A file's content: text, bytes, a browser's file, or a stream. */
export type FileContent = string | Uint8Array | Blob | ReadableStream<Uint8Array>

/** Returns request fields that send a file unchanged. The generated types allow only text; `fetch` accepts every FileContent. */
export function fileBody(file: FileContent, mediaType = 'application/octet-stream') {
  return {
    body: file as string,
    bodySerializer: (body: string) => body,
    headers: { 'Content-Type': mediaType },
    ...(file instanceof ReadableStream ? { duplex: 'half' as const } : {}),
  }
}
