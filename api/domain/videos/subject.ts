/** What a video is of, as the audit names it. */
export const subjectOf = (productCode: string, lessonId: string | null) =>
  lessonId === null ? `product:${productCode}` : `product:${productCode} lesson:${lessonId}`
