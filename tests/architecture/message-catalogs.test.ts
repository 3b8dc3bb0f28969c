import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/**
 * A particle whose form depends on how the value before it ends: 을 after 원, 를 after 달러. Both at
 * once, as 을(를), read as a form.
 */
const particleAfterValue =
  /\}(을|를|이|가|은|는|과|와|으로|로|이나|나|을\(를\)|이\(가\)|은\(는\)|이에요|예요|입니다)(?=[\s.,!?"”’)])/u

const catalogOf = (program: string, language: string) =>
  readFileSync(new URL(`../../${program}/locales/${language}/messages.po`, import.meta.url), 'utf8')

const programs = ['app', 'api', 'admin']

test('English messages are those of the code', () => {
  const messages = programs.flatMap((program) => [
    ...catalogOf(program, 'en').matchAll(/^msgid "(.+)"\nmsgstr "(.*)"$/gm),
  ])
  expect(messages.length).toBeGreaterThan(700)
  expect(messages.filter(([, id, text]) => id !== text).map(([, id]) => id)).toEqual([])
})

test('no Korean message has a particle that depends on the value before it', () => {
  const catalogs = programs.map((program) => catalogOf(program, 'ko'))
  const messages = [...catalogs.join('\n').matchAll(/^msgstr "(.*)"$/gm)].map(([, text]) => text ?? '')
  expect(messages.length).toBeGreaterThan(700)
  expect(messages.filter((text) => particleAfterValue.test(text))).toEqual([])
})

test('Korean messages have one term for payment by deposit', () => {
  const catalogs = programs.map((program) => catalogOf(program, 'ko')).join('\n')
  expect(catalogs).toContain('무통장입금')
  expect(catalogs.match(/계좌 ?이체|무통장 입금/g)).toBeNull()
})
