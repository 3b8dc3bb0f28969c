/** A parsed playlist line that begins with #EXT. */
interface Tag {
  name: string
  value: string
  attributes: Record<string, string>
  /** The next line that is not a tag: the URI the tag applies to. */
  uri: string | undefined
}

/** Parses a playlist strictly by RFC 8216 and reports each error to `fault`. */
export function readPlaylist(text: string, fault: (what: string) => void): Tag[] {
  const lines = text.split('\n')
  if (lines[0] !== '#EXTM3U') fault('does not begin with #EXTM3U')
  if (lines.at(-1) !== '') fault('does not end with the end of a line')
  if (/\r|\uFEFF/.test(text)) fault('has carriage returns or a byte order mark')
  return lines.slice(1).flatMap((line, at) => {
    if (!line.startsWith('#EXT')) return []
    const [, name = '', value = ''] = /^#(EXT[A-Z0-9-]*):?(.*)$/.exec(line) ?? []
    const uri = lines.slice(at + 2).find((next) => next && !next.startsWith('#'))
    return [{ name, value, attributes: attributesOf(value, fault), uri }]
  })
}

function attributesOf(value: string, fault: (what: string) => void): Record<string, string> {
  const attributes: Record<string, string> = {}
  if (!/^[A-Z0-9-]+=/.test(value)) return attributes
  let unread = value
  while (unread) {
    const attribute = /^([A-Z0-9-]+)=("[^"\r\n]*"|[^",\s]+)(?:,|$)/.exec(unread)
    if (!attribute) {
      fault(`has attributes that cannot be read: ${unread}`)
      break
    }
    const [matched, name = '', text = ''] = attribute
    if (name in attributes) fault(`says ${name} twice`)
    attributes[name] = text.startsWith('"') ? text.slice(1, -1) : text
    unread = unread.slice(matched.length)
  }
  return attributes
}

const requiredAttributes = ['BANDWIDTH', 'AVERAGE-BANDWIDTH', 'RESOLUTION', 'CODECS', 'FRAME-RATE', 'CLOSED-CAPTIONS']

/**
 * Checks what native players (Safari above all) require of a master playlist, without reading
 * media.
 */
export function checkMaster(tags: readonly Tag[], fault: (what: string) => void): void {
  const all = (name: string) => tags.filter((tag) => tag.name === name)
  const variants = all('EXT-X-STREAM-INF')
  const media = all('EXT-X-MEDIA')
  if (variants.length === 0) fault('has no variants')
  for (const name of ['EXT-X-VERSION', 'EXT-X-INDEPENDENT-SEGMENTS'])
    if (all(name).length !== 1) fault(`must say ${name} once`)
  for (const { attributes, uri } of variants) {
    for (const name of requiredAttributes) if (!attributes[name]) fault(`has no ${name} at ${uri}`)
    if (Number(attributes['AVERAGE-BANDWIDTH']) > Number(attributes.BANDWIDTH))
      fault(`has an average above the peak at ${uri}`)
    for (const [name, type] of [
      ['AUDIO', 'AUDIO'],
      ['SUBTITLES', 'SUBTITLES'],
    ] as const) {
      const group = attributes[name]
      if (group !== variants[0]?.attributes[name]) fault(`has variants with different groups of ${name}`)
      const members = media.filter(({ attributes: of }) => of.TYPE === type && of['GROUP-ID'] === group)
      if (group && members.length === 0) fault(`names a group ${group} that is not there`)
    }
    const sounds = attributes.CODECS?.includes('mp4a')
    if (sounds !== Boolean(attributes.AUDIO)) fault(`has codecs that do not go with the groups at ${uri}`)
  }
  for (const { attributes: of } of media) {
    for (const name of ['TYPE', 'GROUP-ID', 'NAME', 'URI']) if (!of[name]) fault(`has a rendition without ${name}`)
    const group = media.filter(
      ({ attributes }) => attributes.TYPE === of.TYPE && attributes['GROUP-ID'] === of['GROUP-ID'],
    )
    if (group.filter(({ attributes }) => attributes.NAME === of.NAME).length > 1)
      fault(`calls two renditions ${of.NAME}`)
    if (group.filter(({ attributes }) => attributes.DEFAULT === 'YES').length > 1) fault('has two defaults in a group')
    if (of.DEFAULT === 'YES' && of.AUTOSELECT !== 'YES') fault(`has a default without AUTOSELECT: ${of.NAME}`)
    if (of.TYPE === 'SUBTITLES' && !of.LANGUAGE) fault(`has captions without a language: ${of.NAME}`)
    if (of.TYPE === 'AUDIO' && !of.CHANNELS) fault(`has sound without its channels: ${of.NAME}`)
  }
  for (const uri of addressesOf(tags))
    if (/^[/\\]|^[a-z]+:|\.\.|[?#]/i.test(uri)) fault(`leads out of its folder: ${uri}`)
}

/** Returns the addresses that the tags of a playlist name. */
export const addressesOf = (tags: readonly Tag[]) =>
  tags.flatMap(({ name, attributes, uri }) =>
    name === 'EXT-X-STREAM-INF' ? [uri ?? ''] : attributes.URI === undefined ? [] : [attributes.URI],
  )

interface Entry {
  uri: string
  seconds: number
  range: { at: number; bytes: number } | null
}

/** Checks a finished media playlist and returns its segments. */
export function checkMedia(tags: readonly Tag[], fault: (what: string) => void): { target: number; entries: Entry[] } {
  const value = (name: string) => tags.find((tag) => tag.name === name)?.value
  const target = Number(value('EXT-X-TARGETDURATION'))
  if (!Number.isInteger(target) || target < 1) fault('states no target duration')
  if (value('EXT-X-PLAYLIST-TYPE') !== 'VOD') fault('is not of the type VOD')
  if (tags.at(-1)?.name !== 'EXT-X-ENDLIST') fault('does not end with EXT-X-ENDLIST')
  const entries: Entry[] = []
  let range: Entry['range'] = null
  for (const [at, { name, value: text, uri }] of tags.entries()) {
    if (name === 'EXTINF') {
      const next = tags[at + 1]
      const [, bytes, offset] = (next?.name === 'EXT-X-BYTERANGE' && /^(\d+)@(\d+)$/.exec(next.value)) || []
      range = bytes ? { bytes: Number(bytes), at: Number(offset) } : null
      const seconds = Number.parseFloat(text)
      if (!(seconds > 0)) fault(`has a segment of ${text} seconds`)
      if (Math.round(seconds) > target) fault(`has a segment of ${seconds} s above its target of ${target}`)
      entries.push({ uri: uri ?? '', seconds, range })
    }
  }
  if (entries.length === 0) fault('has no segments')
  return { target, entries }
}
