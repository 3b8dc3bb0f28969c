import { expect, test } from 'vitest'
import { fileSize } from './file-size'

test('sizes of files are in the unit that people read', () => {
  const sizes = [1, 38_912, 7_759_462, 314_572_800, 2 * 1024 ** 3]
  expect(sizes.map((bytes) => fileSize(bytes, 'en'))).toEqual(['1 kB', '38 kB', '7.4 MB', '300 MB', '2 GB'])
  expect(sizes.map((bytes) => fileSize(bytes, 'ko'))).toEqual(['1kB', '38kB', '7.4MB', '300MB', '2GB'])
})
