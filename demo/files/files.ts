import { ENGLISH_FILES } from './english-files.ts'
import { KOREAN_FILES } from './korean-files.ts'

/**
 * Everything that can be downloaded from the demo stores, by name: `make` writes the whole file.
 */
export const FILES = { ...ENGLISH_FILES, ...KOREAN_FILES }

export type FileName = keyof typeof FILES
