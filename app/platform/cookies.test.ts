import { expect, it } from 'vitest'
import { readCookies } from './cookies'

it('cookies are read in the format of browsers', () =>
  expect([...readCookies('a=1; b=x%20y; a=2; bad=%E0%A4; c')]).toEqual([
    ['a', '1'],
    ['b', 'x y'],
  ]))
