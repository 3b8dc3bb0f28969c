/** Whether an element has given its stream up. Safari then pauses it by itself, which is not the person's pause. */
export const isBroken = (video: HTMLVideoElement): boolean => video.error !== null
