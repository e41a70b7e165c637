// Seeds: numbers by which the writing of two pages differs.

export const randomSeed = () => crypto.getRandomValues(new Uint32Array(1))[0];
