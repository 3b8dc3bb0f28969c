import { expect, test } from 'vitest'
import { cleanHtml } from './html-text.ts'

test.each([
  '',
  ' ',
  '<p> </p>',
  '<p>&nbsp;</p><br>',
  '<P CLASS="lead">&#160;&#xA0;&#x200b;</P>\n<hr/>',
  '<ul><li>&shy;&zwj;&ZeroWidthSpace;</li></ul>',
  '<!-- a note --><p>\u2060\u3164</p>',
  '<style>p { color: red }</style><script>alert(1)</script>',
  '<table><tr><td>&emsp;</td></tr></table>',
  '<p>\u202e</p>',
  '<p>&#x202E;&#8294;&#8297;</p>',
  '<img><img src=""><img src=" " alt="A quay">',
  '<p title="a quay',
  '<!-- a note',
])('HTML of which nothing is seen is empty: %j', (html) => {
  expect(cleanHtml(html)).toBe('')
})

test.each([
  'Quay',
  '1 < 2',
  '<3',
  '&lt;p&gt;',
  '<p>&amp;</p>',
  '<p>&#38;nbsp;</p>',
  '<p>&unknown;</p>',
  '<p>\u{1f469}\u200d\u{1f4bb}</p>',
  '<p>.</p>',
  '<figure><img src="/media/art/quay.webp" alt=""></figure>',
  "<img alt='' src='https://example.com/quay.png'>",
  '<script>alert(1)</script>Quay',
])('HTML of which something is seen stays: %j', (html) => {
  expect(cleanHtml(` ${html}\n`)).toBe(html)
})

test('controls that reverse text are removed, also where they are written as numbers', () => {
  expect(cleanHtml('<p>\u202eevil\u2069 &#x202e;&#8238;live&#x2069 אבג\u200f</p>')).toBe('<p>evil live אבג\u200f</p>')
})

test('long HTML without an end is read in time', () => {
  for (const part of ['<', '<p', '<!--', '<script>', '&#x', '<img src=', '<img src '])
    expect(cleanHtml(part.repeat(200_000 / part.length)).length).toBeLessThanOrEqual(200_000)
})
