"""Solves a cube as a client of the Model Context Protocol: python3 tools.py "R U F" superflip

Starts `superflip mcp`, lists its tools, and calls `solve`. Needs the package `mcp`.
"""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def solved(cube: str, program: str) -> dict:
    """The answer to a cube, or the problem."""
    server = StdioServerParameters(command=program, args=["mcp", "--profile", "tiny"])
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        tools = {tool.name for tool in (await session.list_tools()).tools}
        assert {"solve", "check_solution", "explain", "scramble", "draw"} <= tools, tools
        result = await session.call_tool("solve", {"cube": cube})
        return json.loads(result.content[0].text)


if __name__ == "__main__":
    answer = asyncio.run(solved(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "superflip"))
    if "solution" not in answer:
        sys.exit(f"{answer['code']}: {answer['detail']}")
    print(answer["solution"])
