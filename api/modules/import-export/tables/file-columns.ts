import { isList, isText, type Value } from '#api/modules/import-export/tables/cell-formats.ts'
import { readList, writeList } from './cell-formats.ts'
import { type Column, type FileKind, InvalidCell } from './column-codecs.ts'

const fileExamples: Record<FileKind, string> = {
  PICTURE: 'media/poster.jpg',
  FILE: 'media/workbook.pdf',
  PUBLIC_FILE: 'media/workbook.pdf',
  VIDEO: 'media/lesson.mp4',
  CAPTIONS: 'media/lesson.ko.srt',
  SOUND: 'media/lesson.en.m4a',
  CHAPTERS: 'media/lesson.chapters.txt',
}

const oneFile = (text: string) => (text === '' ? [] : [text])

/** A file next to the table, or one of the store's own (`store:…`). */
export const fileOf = (name: string, file: FileKind, empty?: Value): Column => ({
  name,
  empty,
  file,
  files: oneFile,
  example: fileExamples[file],
  read: (text, { media }) => media(text, file),
  write: (value, { reference }) => (isText(value) ? reference(value, file) : ''),
})

/** Several images, separated by |. */
export const pictures = (name: string, max: number): Column => ({
  name,
  empty: [],
  file: 'PICTURE',
  files: readList,
  example: 'media/still-1.jpg|media/still-2.jpg',
  read: (text, { media }) => {
    const keys = readList(text).map((path) => media(path, 'PICTURE'))
    if (keys.length > max) return new InvalidCell(`must list at most ${max} pictures`)
    return keys.find((key) => key instanceof InvalidCell) ?? keys.filter(isText)
  },
  write: (value, { reference }) => writeList(isList(value) ? value.map((key) => reference(key, 'PICTURE')) : []),
})

/** Named files: `Price list.pdf=media/prices.pdf`, or only a path. */
export const namedFiles = (name: string, max: number): Column => {
  const partsOf = (item: string) => {
    const at = item.indexOf('=')
    const path = item.slice(at + 1).trim()
    return { path, name: at > 0 ? item.slice(0, at).trim() : path.slice(path.lastIndexOf('/') + 1) }
  }
  return {
    name,
    empty: [],
    file: 'PUBLIC_FILE',
    example: 'Price list.pdf=media/prices.pdf',
    files: (text) => readList(text).map((item) => partsOf(item).path),
    read: (text, { media }) => {
      const items = readList(text).map(partsOf)
      if (items.length > max) return new InvalidCell(`must list at most ${max} files`)
      const entries = items.map(({ path, name: called }) => {
        const key = media(path, 'PUBLIC_FILE')
        return key instanceof InvalidCell ? key : `${called}=${key}`
      })
      return entries.find((entry) => entry instanceof InvalidCell) ?? entries.filter(isText)
    },
    write: (value, { reference }) =>
      writeList(
        (isList(value) ? value : []).map((item) => {
          const { name: called, path } = partsOf(item)
          return `${called}=${reference(path, 'PUBLIC_FILE')}`
        }),
      ),
  }
}

/** Returns the name and the key of an entry of `namedFiles`. */
export const namedFile = (item: string) => {
  const at = item.indexOf('=')
  return { name: item.slice(0, at), key: item.slice(at + 1) }
}
