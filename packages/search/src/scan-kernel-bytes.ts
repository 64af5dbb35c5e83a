// Made by scripts/build-vector-kernel.mjs from scan-kernel.wat: change that and run the script.

/** The assembled scan kernel: 244 bytes of WebAssembly, in base64. */
export const SCAN_KERNEL_BASE64 =
  'AGFzbQEAAAABCgFgBn9/f39/fQACEgEGd2luZG93Bm1lbW9yeQIAAQMCAQAHCAEEc2NhbgAACrsBAbgBAgJ/AnsgACACQQF0aiEHAkADQCADRQ0B/QwAAAAAAAAAAAAAAAAAAAAAIQkgACEGA0AgAf0ABAAhCCAJIAj9hwEgBv0ABAD9ugEgCP2IASAG/QAEEP26Af2uAf2uASEJIAFBEGohASAGQSBqIQYgBiAHSQ0ACyAEIAn9GwAgCf0bAWogCf0bAiAJ/RsDamqyIAFBBGsqAgCUIAWUQwAAAACSOAIAIARBBGohBCADQQFrIQMMAAsLCw=='
