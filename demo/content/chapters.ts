import type { Locale } from '#contract/enumerations.ts'
import type { Translations } from '#contract/translations.ts'
import type { VideoName } from './model/types.ts'

interface DemoChapter {
  readonly startSeconds: number
  readonly title: Readonly<Record<'en' | 'ko' | 'ja', string>>
}

/** What happens when in a clip. */
export const CHAPTERS: Readonly<Record<VideoName, readonly DemoChapter[]>> = {
  ridgeline: [
    { startSeconds: 0, title: { en: 'The valley', ko: '골짜기', ja: '谷' } },
    { startSeconds: 10, title: { en: 'Seven birds', ko: '새 일곱 마리', ja: '七羽の鳥' } },
    { startSeconds: 14, title: { en: 'The pines', ko: '소나무', ja: '松林' } },
  ],
  tide: [
    { startSeconds: 0, title: { en: 'The moon', ko: '달', ja: '月' } },
    { startSeconds: 8, title: { en: 'The boat', ko: '배', ja: '舟' } },
    { startSeconds: 16, title: { en: 'Open water', ko: '먼바다', ja: '沖へ' } },
  ],
  skyline: [
    { startSeconds: 0, title: { en: 'Dusk', ko: '해 질 녘', ja: '夕暮れ' } },
    { startSeconds: 8, title: { en: 'Windows', ko: '창문', ja: '窓' } },
    { startSeconds: 16, title: { en: 'Night', ko: '밤', ja: '夜' } },
  ],
  lanterns: [
    { startSeconds: 0, title: { en: 'Letting go', ko: '띄우기', ja: '放つ' } },
    { startSeconds: 8, title: { en: 'Rising', ko: '오르기', ja: '昇る' } },
    { startSeconds: 16, title: { en: 'Far away', ko: '멀리', ja: '遠くへ' } },
  ],
  bauhaus: [
    { startSeconds: 0, title: { en: 'Squares', ko: '사각형', ja: '四角' } },
    { startSeconds: 8, title: { en: 'Circles', ko: '원', ja: '円' } },
    { startSeconds: 16, title: { en: 'Together', ko: '함께', ja: 'いっしょに' } },
  ],
  orbit: [
    { startSeconds: 0, title: { en: 'The approach', ko: '다가가기', ja: '接近' } },
    { startSeconds: 7, title: { en: 'The rings', ko: '고리', ja: '環' } },
    { startSeconds: 14, title: { en: 'The comet', ko: '혜성', ja: '彗星' } },
  ],
  'lesson-brush': [
    { startSeconds: 0, title: { en: 'The cane', ko: '줄기', ja: '幹' } },
    { startSeconds: 10, title: { en: 'Branches and leaves', ko: '가지와 잎', ja: '枝と葉' } },
    { startSeconds: 17, title: { en: 'Empty paper', ko: '여백', ja: '余白' } },
  ],
  'lesson-chart': [
    { startSeconds: 0, title: { en: 'The axes', ko: '두 축', ja: '二つの軸' } },
    { startSeconds: 6, title: { en: 'Simple interest', ko: '단리', ja: '単利' } },
    { startSeconds: 13, title: { en: 'Compound interest', ko: '복리', ja: '複利' } },
  ],
  'lesson-code': [
    { startSeconds: 0, title: { en: 'The list', ko: '배열', ja: 'リスト' } },
    { startSeconds: 6, title: { en: 'The function', ko: '함수', ja: '関数' } },
    { startSeconds: 16, title: { en: 'Running it', ko: '실행', ja: '実行' } },
  ],
}

/**
 * Adds the chapters of a clip to the translations of what shows it, for the languages of a store
 * other than its own.
 */
export const withChapters = (
  translations: Translations,
  video: VideoName | undefined,
  { locale, locales }: { locale: Locale; locales: readonly Locale[] },
): Translations => {
  const added = locales.flatMap((language) => {
    const chapters = video && language !== locale && language !== 'ar' ? CHAPTERS[video] : []
    const titles = chapters.map(({ title }) => title[language as keyof typeof title])
    return titles.length > 0 ? [[language, { ...translations[language], chapters: titles }] as const] : []
  })
  return { ...translations, ...Object.fromEntries(added) }
}
