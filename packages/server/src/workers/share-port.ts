/**
 * Whether several processes can listen on one port, each for itself, with the kernel spreading connections over them: on Linux. What waits
 * for a process that is killed is refused then. Elsewhere the primary takes each connection and hands it to a worker, and one that is
 * handed over in the moment in which its worker is killed is answered by nobody.
 */
export const SHARES_PORT = process.platform === 'linux'
