import { globSync, readFileSync } from 'node:fs'
import { compareVariables, parsePo, validateIcu } from 'pofile-ts'
import { expect, test } from 'vitest'
import { messagesOf } from '#api/platform/i18n/messages.ts'

test.each(globSync('{app,api}/locales/*/messages.po'))(
  'every translation is valid and has the values of its message: %s',
  (path) => {
    const { items } = parsePo(readFileSync(path, 'utf8'))
    const faults = items.filter(({ msgid, msgstr: [translation] }) => {
      if (!msgid || !translation) return false
      return !validateIcu(translation).valid || compareVariables(msgid, translation).extra.length > 0
    })
    expect(faults.map(({ msgid }) => msgid)).toEqual([])
  },
)

test.each(['{store}', '{n, plural, other {#}}', "it's '{'", '\\u003cb\\u003e \\x41 \\', '<b>&amp;</b>', '$& $1'])(
  'a value is inserted unchanged: %s',
  (value) => {
    expect(messagesOf('en')._('Welcome to {store}', { store: value })).toBe(`Welcome to ${value}`)
    expect(messagesOf('ja')._('Welcome to {store}', { store: value })).toBe(`${value}へようこそ`)
  },
)

test('a message is translated by language and context, and is in English without a translation', () => {
  expect(messagesOf('ko')._('Amount')).toBe('금액')
  expect(messagesOf('ja')._('Reset password', {}, { context: 'changed password' })).toBe('パスワードを再設定する')
  expect(messagesOf('ja')._('Reset password', {}, { context: 'requested by email' })).toBe('新しいパスワードを設定する')
  expect(messagesOf('ar')._('{n, plural, one {# new text} other {# new texts}}', { n: 2 })).toBe('2 new texts')
})

test('a plural follows the rules of its language', () => {
  const refund = (locale: 'en' | 'ar', days: number) =>
    messagesOf(locale)._(
      'You can get a refund within {days, plural, one {{days} day} other {{days} days}} for anything you haven’t played or downloaded.',
      { days },
    )
  expect(refund('en', 1)).toContain('within 1 day for')
  expect(refund('en', 7)).toContain('within 7 days for')
  expect(refund('ar', 2)).toContain('خلال يومين.')
  expect(refund('ar', 7)).toContain('خلال 7 أيام.')
  expect(refund('ar', 30)).toContain('خلال 30 يومًا.')
})
