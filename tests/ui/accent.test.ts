import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { contrast, parseColor, themeProperties } from '~/ui/theme'

const look = { surface: 'system', radius: 'medium', font: 'sans' } as const
const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

/**
 * The backgrounds with the least contrast to accented text: wells in the light theme, floating
 * panels in the dark.
 */
const surfaces = { light: '#eeeef1', dark: '#2b2b31' } as const

test('text in and on any accent passes WCAG AA in both themes', () => {
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

test('an accent with enough contrast to white text is unchanged', () => {
  const properties = themeProperties({ ...look, accent: '#3352E1' })
  expect(properties['--accent-light']).toBe('#3352e1')
  expect(properties['--accent-contrast-light']).toBe('#ffffff')
})

test('an invalid accent is replaced by the product’s own', () => {
  for (const accent of ['', 'red;}body{display:none', 'url(https://elsewhere.example)', '#12345']) {
    expect(Object.keys(themeProperties({ ...look, accent }))).toEqual(['--radius', '--font'])
  }
})
