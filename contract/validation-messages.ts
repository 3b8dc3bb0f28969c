import type { $ZodIssue } from 'zod/v4/core'
import type { Locale } from './enumerations.ts'

// The texts are here and not in a catalogue, because the API and the browser share them and have
// separate catalogues.

type Messages = Record<Locale, (value: string) => string>

/** Examples of valid texts, by format. */
const examples: Record<string, string> = {
  email: 'name@example.com',
  url: 'https://example.com',
  uuid: '019a2f1e-8c3b-7d42-9e5f-0a1b2c3d4e5f',
  guid: '019a2f1e-8c3b-7d42-9e5f-0a1b2c3d4e5f',
  datetime: '2026-11-22T09:00:00Z',
  date: '2026-11-22',
  time: '09:00:00',
  duration: 'PT30M',
  ipv4: '203.0.113.7',
  ipv6: '2001:db8::7',
  e164: '+821012345678',
}

/**
 * Examples of the patterns of the contract. A pattern has the first example that it matches, so an
 * example that more patterns match comes later.
 */
const patternExamples = [
  'code,title',
  'frequent buyer',
  '/products',
  'films/drama',
  'mail.example.com',
  'F100',
  'USD',
  'Q-7K3M9P',
  '20261122-7K3M9P',
  'aurora-films',
  'sortBy',
  '123-456-789012',
  '123456',
  'MjAyNi0xMS0yMiAwOTowMDowMC4wMDAwMDArMDB-MDE5YTJmMWUtOGMzYi03ZDQyLTllNWYtMGExYjJjM2Q0ZTVm',
]

/** Returns the example of a format; undefined for a pattern that no example matches. */
function exampleOf(format: string, pattern: string | undefined): string | undefined {
  if (format !== 'regex') return examples[format]
  const [, source, flags] = /^\/(.*)\/([a-z]*)$/s.exec(pattern ?? '') ?? []
  if (source === undefined) return undefined
  const rule = new RegExp(source, flags)
  return patternExamples.find((one) => rule.test(one))
}

const required: Record<Locale, string> = {
  en: 'Enter a value.',
  ko: '값을 입력해 주세요.',
  ja: '値を入力してください。',
  ar: 'أدخل قيمة.',
}
const chooseOne: Record<Locale, string> = {
  en: 'Choose at least one.',
  ko: '하나 이상 선택해 주세요.',
  ja: '1つ以上選択してください。',
  ar: 'اختر واحدًا على الأقل.',
}
const types: Record<string, Record<Locale, string>> = {
  string: { en: 'Enter text.', ko: '텍스트를 입력해 주세요.', ja: 'テキストを入力してください。', ar: 'أدخل نصًا.' },
  number: { en: 'Enter a number.', ko: '숫자를 입력해 주세요.', ja: '数値を入力してください。', ar: 'أدخل رقمًا.' },
  int: {
    en: 'Enter a whole number.',
    ko: '정수를 입력해 주세요.',
    ja: '整数を入力してください。',
    ar: 'أدخل عددًا صحيحًا.',
  },
  boolean: {
    en: 'Choose yes or no (true or false).',
    ko: '예 또는 아니요(true 또는 false)를 선택해 주세요.',
    ja: 'はい、またはいいえ（true または false）を選択してください。',
    ar: 'اختر نعم أو لا (true أو false).',
  },
  date: { en: 'Enter a date.', ko: '날짜를 입력해 주세요.', ja: '日付を入力してください。', ar: 'أدخل تاريخًا.' },
  array: { en: 'Enter a list.', ko: '목록으로 입력해 주세요.', ja: 'リストで入力してください。', ar: 'أدخل قائمة.' },
  object: {
    en: 'Enter an object with named fields.',
    ko: '필드 이름이 있는 객체로 입력해 주세요.',
    ja: 'フィールド名のあるオブジェクトで入力してください。',
    ar: 'أدخل كائنًا بحقول مسمّاة.',
  },
  file: {
    en: 'Choose a file.',
    ko: '파일을 선택해 주세요.',
    ja: 'ファイルを選択してください。',
    ar: 'اختر ملفًا.',
  },
}

const atLeast: Record<'text' | 'number' | 'list', Messages> = {
  text: {
    en: (n) => `Enter at least ${n} characters.`,
    ko: (n) => `${n}자 이상 입력해 주세요.`,
    ja: (n) => `${n}文字以上で入力してください。`,
    ar: (n) => `الحد الأدنى لعدد الأحرف: ${n}.`,
  },
  number: {
    en: (n) => `Enter ${n} or more.`,
    ko: (n) => `${n} 이상의 값을 입력해 주세요.`,
    ja: (n) => `${n}以上の値を入力してください。`,
    ar: (n) => `أدخل ${n} أو أكثر.`,
  },
  list: {
    en: (n) => `Choose at least ${n}.`,
    ko: (n) => `${n}개 이상 선택해 주세요.`,
    ja: (n) => `${n}件以上選択してください。`,
    ar: (n) => `اختر ${n} على الأقل.`,
  },
}
const atMost: Record<'text' | 'number' | 'list', Messages> = {
  text: {
    en: (n) => `Enter no more than ${n} characters.`,
    ko: (n) => `${n}자 이내로 입력해 주세요.`,
    ja: (n) => `${n}文字以内で入力してください。`,
    ar: (n) => `الحد الأقصى لعدد الأحرف: ${n}.`,
  },
  number: {
    en: (n) => `Enter ${n} or less.`,
    ko: (n) => `${n} 이하의 값을 입력해 주세요.`,
    ja: (n) => `${n}以下の値を入力してください。`,
    ar: (n) => `أدخل ${n} أو أقل.`,
  },
  list: {
    en: (n) => `Choose no more than ${n}.`,
    ko: (n) => `${n}개까지만 선택해 주세요.`,
    ja: (n) => `${n}件以内で選択してください。`,
    ar: (n) => `اختر ${n} على الأكثر.`,
  },
}
const dayFrom: Messages = {
  en: (day) => `Enter ${day} or a later day.`,
  ko: (day) => `${day} 이후의 날짜를 입력해 주세요.`,
  ja: (day) => `${day}以降の日付を入力してください。`,
  ar: (day) => `أدخل ${day} أو يوماً بعده.`,
}
const above: Messages = {
  en: (n) => `Enter more than ${n}.`,
  ko: (n) => `${n}보다 큰 값을 입력해 주세요.`,
  ja: (n) => `${n}より大きい値を入力してください。`,
  ar: (n) => `أدخل قيمة أكبر من ${n}.`,
}
const below: Messages = {
  en: (n) => `Enter less than ${n}.`,
  ko: (n) => `${n}보다 작은 값을 입력해 주세요.`,
  ja: (n) => `${n}より小さい値を入力してください。`,
  ar: (n) => `أدخل قيمة أصغر من ${n}.`,
}
const withExample: Messages = {
  en: (example) => `Use this format: ${example}`,
  ko: (example) => `다음 형식으로 입력해 주세요: ${example}`,
  ja: (example) => `次の形式で入力してください：${example}`,
  ar: (example) => `استخدم هذا التنسيق: ${example}`,
}
const oneOf: Messages = {
  en: (values) => `Choose one of these: ${values}`,
  ko: (values) => `다음 중에서 선택해 주세요: ${values}`,
  ja: (values) => `次の中から選択してください：${values}`,
  ar: (values) => `اختر من هذه القيم: ${values}`,
}
const unknownKeys: Messages = {
  en: (keys) => `Remove the unknown fields: ${keys}`,
  ko: (keys) => `알 수 없는 필드를 삭제해 주세요: ${keys}`,
  ja: (keys) => `不明なフィールドを削除してください：${keys}`,
  ar: (keys) => `احذف الحقول غير المعروفة: ${keys}`,
}
const multipleOf: Messages = {
  en: (n) => `Enter a multiple of ${n}.`,
  ko: (n) => `${n}의 배수를 입력해 주세요.`,
  ja: (n) => `${n}の倍数を入力してください。`,
  ar: (n) => `أدخل مضاعفًا للعدد ${n}.`,
}
const emptyFile: Record<Locale, string> = {
  en: 'This file is empty. Choose another file.',
  ko: '빈 파일이에요. 다른 파일을 선택해 주세요.',
  ja: 'このファイルは空です。別のファイルを選択してください。',
  ar: 'هذا الملف فارغ. اختر ملفًا آخر.',
}
const agreement: Record<Locale, string> = {
  en: 'Confirm this to continue (true).',
  ko: '계속하려면 동의하거나 확인해 주세요(true).',
  ja: '続けるには、同意または確認してください（true）。',
  ar: 'أكّد هذا للمتابعة (true).',
}
const link: Record<Locale, string> = {
  en: 'Enter a path of the store, such as /products, or an address that begins with https://.',
  ko: '/products 같은 스토어 안의 경로나 https://로 시작하는 주소를 입력해 주세요.',
  ja: '/products のようなストア内のパス、または https:// で始まるアドレスを入力してください。',
  ar: 'أدخل مسارًا داخل المتجر مثل ‎/products، أو عنوانًا يبدأ بـ ‎https://‎.',
}
const invalid: Record<Locale, string> = {
  en: 'Check this value and enter it again.',
  ko: '값을 확인하고 다시 입력해 주세요.',
  ja: '値を確認して、もう一度入力してください。',
  ar: 'تحقّق من هذه القيمة وأدخلها من جديد.',
}

const measureOf = (origin: string) =>
  origin === 'string' ? 'text' : ['array', 'set', 'map', 'file'].includes(origin) ? 'list' : 'number'

/** Returns a sentence that describes a valid value in place of a rejected one. */
export function validationMessage(issue: $ZodIssue, locale: Locale): string {
  switch (issue.code) {
    case 'invalid_type':
      return types[issue.expected]?.[locale] ?? required[locale]
    case 'too_small': {
      if (issue.origin === 'file') return emptyFile[locale]
      if (issue.origin === 'date') return dayFrom[locale](new Date(Number(issue.minimum)).toISOString().slice(0, 10))
      const measure = measureOf(issue.origin)
      if (issue.origin === 'array' && Number(issue.minimum) === 1) return chooseOne[locale]
      if (measure !== 'number' && Number(issue.minimum) <= 1) return required[locale]
      if (measure === 'number' && issue.inclusive === false) return above[locale](String(issue.minimum))
      return atLeast[measure][locale](String(issue.minimum))
    }
    case 'too_big': {
      const measure = measureOf(issue.origin)
      if (measure === 'number' && issue.inclusive === false) return below[locale](String(issue.maximum))
      return atMost[measure][locale](String(issue.maximum))
    }
    case 'invalid_format': {
      const example = exampleOf(issue.format, issue.pattern)
      return example === undefined ? invalid[locale] : withExample[locale](example)
    }
    case 'invalid_value':
      if (issue.values.length === 1 && issue.values[0] === true) return agreement[locale]
      return oneOf[locale](issue.values.map(String).join(', '))
    case 'unrecognized_keys':
      return unknownKeys[locale](issue.keys.slice(0, 10).join(', '))
    case 'not_multiple_of':
      return multipleOf[locale](String(issue.divisor))
    case 'custom':
      return issue.params?.expected === 'link' ? link[locale] : invalid[locale]
    case 'invalid_union': {
      const [first] = issue.errors.flat()
      return first ? validationMessage(first, locale) : invalid[locale]
    }
    default:
      return invalid[locale]
  }
}
