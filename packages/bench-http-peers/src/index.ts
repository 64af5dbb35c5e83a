/** Memory services that others make and serve, measured through their public HTTP interfaces. */
export { HTTP_SYSTEMS, httpSystem, type HttpSystemOptions } from './http-systems.ts'
export type { HttpSystemInfo } from './peer.ts'
export { PeerError } from './peer-error.ts'
