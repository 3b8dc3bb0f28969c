import { expect, test } from 'vitest'
import { fileSize } from './file-size.ts'

test('sizes of files are decimal, in the unit and the language that people read', () => {
  const sizes = [1, 812, 38_400, 7_449_000, 10_000_000, 300_000_000, 1_900_000_000]
  expect(sizes.map((bytes) => fileSize(bytes, 'en'))).toEqual([
    ...['1 byte', '812 bytes', '38 kB', '7.4 MB', '10 MB', '300 MB', '1.9 GB'],
  ])
  expect(sizes.slice(2).map((bytes) => fileSize(bytes, 'ko'))).toEqual(['38kB', '7.4MB', '10MB', '300MB', '1.9GB'])
})
