/** The module that clients/wasm/build builds. */
export default function init(): Promise<unknown>;
export function convert(cube: string, form: string): string;
export function scramble(): string;
export function solve(cube: string, targetLength: number, maxLength: number, timeLimitMs: number): string;
