import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { contrast, parseColor, themeProperties } from '~/ui/theme'

const look = { surface: 'system', radius: 'medium', font: 'sans' } as const
const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

/** The pages' wells in the light and floating panels in the dark, where accented text is hardest to read. */
const surfaces = { light: '#eeeef1', dark: '#2b2b31' } as const

test('whatever accent a tenant chooses, text in it and text on it pass WCAG AA in both themes', () => {
  fc.assert(
    fc.property(colour, fc.constantFrom('light', 'dark'), (accent, mode) => {
      const properties = themeProperties({ ...look, accent })
      const of = (name: '' | '-contrast' | '-text') => parseColor(properties[`--accent${name}-${mode}`] ?? '')!
      expect(contrast(of(''), of('-contrast'))).toBeGreaterThanOrEqual(4.5)
      expect(contrast(of('-text'), parseColor(surfaces[mode])!)).toBeGreaterThanOrEqual(4.5)
    }),
    { numRuns: 2_000 },
  )
})

test('an accent that carries white text already is left as it was chosen', () => {
  const properties = themeProperties({ ...look, accent: '#3352E1' })
  expect(properties['--accent-light']).toBe('#3352e1')
  expect(properties['--accent-contrast-light']).toBe('#ffffff')
})

test('an accent that is no colour leaves the product in its own', () => {
  for (const accent of ['', 'red;}body{display:none', 'url(https://elsewhere.example)', '#12345']) {
    expect(Object.keys(themeProperties({ ...look, accent }))).toEqual(['--radius', '--font'])
  }
})
