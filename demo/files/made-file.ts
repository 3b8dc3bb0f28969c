/** A file that a store hands out, and how to make it. */
export interface MadeFile {
  readonly ending: 'pdf' | 'zip' | 'txt'
  readonly make: () => Buffer
}

export const CONTENT_TYPES: Readonly<Record<MadeFile['ending'], string>> = {
  pdf: 'application/pdf',
  zip: 'application/zip',
  txt: 'text/plain; charset=utf-8',
}
