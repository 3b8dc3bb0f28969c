// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest'
import { removeTable, setPicture, togglePictureCaption, toggleTableCaption } from '../../admin/ui/caption-nodes'
import { pastedHtml } from '../../admin/ui/pasted-html'
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
    [
      'a table with a caption',
      '<table><caption>Ferries <a href="/f">of <strong>today</strong></a></caption><thead><tr><th scope="col">Pier</th></tr></thead><tbody><tr><td>One</td></tr></tbody></table>\n<p>Two</p>',
    ],
    [
      'a picture with a caption',
      '<p>One</p>\n<figure><img src="https://example.com/a.jpg" alt=""><figcaption>One <em>two</em></figcaption></figure>',
    ],
    [
      'a linked picture with a caption before it',
      '<figure><figcaption>One</figcaption><a href="/plans"><img src="https://example.com/a.jpg" alt=""></a></figure>',
    ],
    ['a picture in a figure without a caption', '<figure><img src="https://example.com/a.jpg" alt=""></figure>'],
    ['words in a figure', '<figure><blockquote><p>One</p></blockquote><figcaption>Two</figcaption></figure>'],
    [
      'a table in a figure',
      '<figure><table><caption>One</caption><tbody><tr><td>Two</td></tr></tbody></table><figcaption>Three</figcaption></figure>',
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
    [
      'a table with a caption of paragraphs',
      '<table><caption><p>One</p><p>Two</p></caption><tbody><tr><td>Two</td></tr></tbody></table>',
    ],
    ['a caption of a list', '<figure><p>One</p><figcaption><ul><li>Two</li></ul></figcaption></figure>'],
    ['a figure in a cell', '<table><tr><td><figure><p>A</p><figcaption>B</figcaption></figure></td></tr></table>'],
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

describe('what is pasted', () => {
  const item = (level: number, marker: string, text: string) =>
    `<p class=MsoListParagraphCxSpMiddle style='text-indent:-.25in;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>${marker}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>\n`

  const stored = (html: string) => {
    const pasted = pastedHtml(html)
    return { ...pasted, html: written(pasted.html) }
  }

  test('lists of Word become lists with their levels', () => {
    const word = [
      '<p class=MsoNormal>Before</p>',
      item(1, '·', 'Item <b>one</b>'),
      item(2, 'o', 'Below'),
      item(1, '·', 'Item two'),
      '<p class=MsoNormal>Between</p>',
      item(1, '3.', 'Three'),
      item(2, 'a)', 'Letter'),
      item(1, '4.', 'Four'),
    ].join('')
    expect(stored(word).html).toBe(
      [
        '<p>Before</p>',
        '<ul><li>Item <strong>one</strong><ul><li>Below</li></ul></li><li>Item two</li></ul>',
        '<p>Between</p>',
        '<ol start="3"><li>Three<ol><li>Letter</li></ol></li><li>Four</li></ol>',
      ].join('\n'),
    )
  })

  test('lists of Word without its styles become lists', () => {
    const word = `<p class="MsoListParagraphCxSpFirst">·&nbsp; Item one</p><p class="MsoListParagraphCxSpLast" style="margin-left:1.0in">o&nbsp;&nbsp; Below</p><p class="MsoListParagraph">No entry</p>`
    expect(stored(word).html).toBe('<ul><li>Item one<ul><li>Below</li></ul></li></ul>\n<p>No entry</p>')
  })

  test('pictures of a computer and of other sites are left out', () => {
    for (const src of ['file:///C:/a.png', 'https://example.com/a.jpg', 'data:image/png;base64,AA', 'image001.png', ''])
      expect(stored(`<p>One <img src="${src}"></p>`)).toEqual({ html: '<p>One</p>', lacksPicture: true })
    const own = '<p>One <img src="/media/a.webp" alt=""></p>'
    expect(stored(own)).toEqual({ html: own, lacksPicture: false })
    expect(pastedHtml('<img src="https://example.com/a.jpg">', () => true).lacksPicture).toBe(false)
  })

  test('event handlers and styles never reach a document', () => {
    const html = `<p onclick="x()" style='color:red'>One</p><img src="/a.png" onerror=alert(1)><svg/onload=alert(1)>`
    expect(pastedHtml(html).html).not.toMatch(/\son|onload|\sstyle=/)
  })
})

describe('captions in the visual editor', () => {
  const edited = (html: string, change: (editor: ReturnType<typeof openEditor>) => void) => {
    const editor = openEditor({ html })
    change(editor)
    const stored = storedHtml(editor)
    editor.destroy()
    return stored
  }
  const table = '<table><tbody><tr><td>One</td></tr></tbody></table>'
  const image = '<img src="https://example.com/a.jpg" alt="">'

  test('a table gets a caption that is typed, and loses it again', () => {
    const captioned = '<table><caption>Ferries</caption><tbody><tr><td>One</td></tr></tbody></table>'
    expect(
      edited(table, (editor) => {
        editor.commands.setTextSelection(5)
        toggleTableCaption(editor)
        editor.commands.insertContent('Ferries')
      }),
    ).toBe(captioned)
    expect(
      edited(captioned, (editor) => {
        editor.commands.setTextSelection(3)
        toggleTableCaption(editor)
      }),
    ).toBe(table)
    expect(
      edited(captioned, (editor) => {
        editor.commands.setTextSelection(3)
        removeTable(editor)
      }),
    ).toBe('')
  })

  test('a caption without words is not stored', () => {
    expect(
      edited(table, (editor) => {
        editor.commands.setTextSelection(5)
        toggleTableCaption(editor)
      }),
    ).toBe(table)
  })

  test('a picture among words gets a caption in a figure between them', () => {
    const captioned = `<p>One </p>\n<figure>${image}<figcaption>Two</figcaption></figure>\n<p> three</p>`
    expect(
      edited(`<p>One ${image} three</p>`, (editor) => {
        editor.commands.setNodeSelection(5)
        togglePictureCaption(editor)
        editor.commands.insertContent('Two')
      }),
    ).toBe(captioned)
    expect(
      edited(`<figure>${image}<figcaption>Two</figcaption></figure>`, (editor) => {
        editor.commands.setNodeSelection(2)
        togglePictureCaption(editor)
      }),
    ).toBe(`<p>${image}</p>`)
  })

  test('a picture in a list has no caption', () => {
    const list = `<ul><li>${image}</li></ul>`
    expect(
      edited(list, (editor) => {
        editor.commands.setNodeSelection(3)
        togglePictureCaption(editor)
      }),
    ).toBe(list)
  })

  test('a picture is inserted, described and replaced, and stays selected', () => {
    expect(
      edited('<p>One</p>', (editor) => {
        editor.commands.setTextSelection(4)
        setPicture(editor, { src: 'https://example.com/b.jpg', alt: '', width: 2, height: 1 })
        setPicture(editor, { alt: 'A pier' })
        setPicture(editor, { src: 'https://example.com/c.jpg', width: 4, height: 2 })
      }),
    ).toBe('<p>One<img src="https://example.com/c.jpg" alt="A pier" width="4" height="2"></p>')
  })
})
