// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest'
import { comparableHtml, fitsEditor, openEditor, storedHtml } from '../../admin/ui/rich-text'

const written = (html: string) => {
  const editor = openEditor({ html })
  const stored = storedHtml(editor)
  editor.destroy()
  return stored
}

describe('what the visual editor stores', () => {
  test.for([
    ['paragraphs and marks', '<p>One <strong>two <em>three</em></strong> <u>four</u> <s>five</s></p>\n<p>Six</p>'],
    ['headings', '<h2>One</h2>\n<h3>Two</h3>\n<h4>Three</h4>'],
    ['lists within lists', '<ul><li>One<ul><li>Two</li></ul></li><li>Three</li></ul>'],
    ['a numbered list that begins later', '<ol start="3"><li>Three</li></ol>'],
    [
      'links',
      '<p><a href="https://example.com/a">One</a>, <a href="/plans">two</a>, <a href="mailto:a@example.com">x</a></p>',
    ],
    ['the title of a link', '<p><a href="/plans" title="Plans">One</a></p>'],
    ['breaks, lines and quotes', '<p>One<br>two</p>\n<hr>\n<blockquote><p>Three</p></blockquote>'],
    ['a picture', '<p>One <img src="/media/a.webp" alt="A pier" width="640" height="360"></p>'],
    ['a picture alone, without a description', '<p><img src="https://example.com/a.jpg" alt=""></p>'],
    [
      'a table with headings',
      '<table><thead><tr><th scope="col">Plan</th><th scope="col">Price</th></tr></thead><tbody><tr><th scope="row">Solo</th><td>$4</td></tr></tbody></table>',
    ],
    ['a table of cells alone', '<table><tbody><tr><td>One</td><td>Two</td></tr></tbody></table>'],
    [
      'cells that span others, with lists',
      '<table><tbody><tr><td colspan="2">One</td></tr><tr><td rowspan="2"><ul><li>Two</li></ul></td><td>Three</td></tr><tr><td>Four</td></tr></tbody></table>',
    ],
    ['signs and other scripts', '<p>3 &lt; 4 &amp; 5 한국어 العربية</p>'],
  ] as const)('%s are stored as they were', ([, html]) => {
    expect(written(html)).toBe(html)
    expect(fitsEditor(html)).toBe(true)
  })

  test('an empty text is stored as none', () => {
    expect(written('')).toBe('')
    expect(written('<p></p>')).toBe('')
  })
})

describe('a text that the visual editor would change', () => {
  test.for([
    ['a table with a caption', '<table><caption>One</caption><tbody><tr><td>Two</td></tr></tbody></table>'],
    ['a figure', '<figure><img src="https://example.com/a.jpg" alt=""><figcaption>One</figcaption></figure>'],
    ['definitions', '<dl><dt>One</dt><dd>Two</dd></dl>'],
    ['code in lines', '<pre>a\n  b</pre>'],
    ['small raised letters', '<p>m<sup>2</sup></p>'],
  ] as const)('%s is edited as HTML', ([, html]) => {
    expect(fitsEditor(html)).toBe(false)
  })
})

describe('a text that visitors see the same', () => {
  test.for([
    ['other names of marks', '<p><b><i>One</i></b></p>', '<p><em><strong>One</strong></em></p>'],
    ['text without a paragraph', 'One', '<p>One</p>'],
    ['tags that are not shown', '<div><p style="color: red">One</p></div><script>x()</script>', '<p>One</p>'],
    ['spaces between blocks', '<ul>\n  <li>One</li>\n</ul>\n', '<ul><li><p>One</p></li></ul>'],
    [
      'rows of a table outside of its body, and spans of one',
      '<table><tr><td colspan="1">One</td></tr></table>',
      '<table><tbody><tr><td>One</td></tr></tbody></table>',
    ],
    ['a first-level heading', '<h1>One</h1>', '<h2>One</h2>'],
  ] as const)('%s', ([, one, other]) => {
    expect(comparableHtml(one)).toBe(comparableHtml(other))
    expect(fitsEditor(one)).toBe(true)
  })

  test.for([
    ['<p>One</p><p>Two</p>', '<p>One Two</p>'],
    ['<p><strong>One</strong></p>', '<p>One</p>'],
    ['<p><a href="/a">One</a></p>', '<p><a href="/b">One</a></p>'],
  ] as const)('%s and %s differ', ([one, other]) => {
    expect(comparableHtml(one)).not.toBe(comparableHtml(other))
  })
})
