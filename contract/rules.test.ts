import { describe, expect, it } from 'vitest'
import { isPresent } from './rules.ts'

describe('form rules', () => {
  it('treat null and the empty string as missing, zero and false not', () =>
    expect([null, undefined, '', 0, false, ' '].map((value) => isPresent(value))).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
    ]))
})
