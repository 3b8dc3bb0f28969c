/** The first match wins: most browsers claim to be others as well. */
const browsers: [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Whale\//, 'Whale'],
  [/KAKAOTALK/, 'KakaoTalk'],
  [/NAVER\(/, 'NAVER'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\/|Chromium\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/iPhone|iPod/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux/, 'Linux'],
]

const nameIn = (table: [RegExp, string][], text: string) => table.find(([mark]) => mark.test(text))?.[1]

/** The browser and the system that a `User-Agent` names. */
export const deviceName = (userAgent: string): { browser: string | undefined; system: string | undefined } => ({
  browser: nameIn(browsers, userAgent),
  system: nameIn(systems, userAgent),
})
